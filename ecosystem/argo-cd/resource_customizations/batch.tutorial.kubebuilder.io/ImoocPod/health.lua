-- Ready says whether the object is as its spec asks; Stalled, where there is one, that only its user can help.
local status = obj.status or {}
if (status.observedGeneration or -1) < (obj.metadata.generation or 0) then
  return { status = "Progressing", message = "Waiting for the operator to observe the newest spec" }
end
local conditions = {}
for _, condition in ipairs(status.conditions or {}) do
  conditions[condition.type] = condition
end
local stalled, ready = conditions.Stalled, conditions.Ready
if stalled ~= nil and stalled.status == "True" then
  return { status = "Degraded", message = stalled.message }
end
if ready ~= nil and ready.status == "True" then
  return { status = "Healthy", message = ready.message }
end
return { status = "Progressing", message = ready and ready.message or "Waiting for the operator to say Ready" }
