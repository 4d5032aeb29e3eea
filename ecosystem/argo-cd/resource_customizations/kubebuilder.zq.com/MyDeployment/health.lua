-- A paused MyDeployment is suspended, as a Deployment is. Everything else follows from the conditions Stalled and Reconciling,
-- which the operator computes as `kubectl rollout status` does.
local status = obj.status or {}
if obj.spec.paused == true then
  return { status = "Suspended", message = "MyDeployment is paused" }
end
if (status.observedGeneration or -1) < (obj.metadata.generation or 0) then
  return { status = "Progressing", message = "Waiting for the operator to observe the newest spec" }
end
for _, condition in ipairs(status.conditions or {}) do
  if condition.type == "Stalled" and condition.status == "True" then
    return { status = "Degraded", message = condition.message }
  end
end
for _, condition in ipairs(status.conditions or {}) do
  if condition.type == "Reconciling" and condition.status == "True" then
    return { status = "Progressing", message = condition.message }
  end
end
return { status = "Healthy", message = "" }
