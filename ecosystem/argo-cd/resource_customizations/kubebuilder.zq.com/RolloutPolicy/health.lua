-- Stalled says that somebody has to do something. Reconciling says what a rollout waits for: one that waits for a promotion or a pause
-- is suspended, as a Rollout of Argo would be.
local status = obj.status or {}
if (status.observedGeneration or -1) < (obj.metadata.generation or 0) then
  return { status = "Progressing", message = "Waiting for the operator to observe the newest spec" }
end
local conditions = {}
for _, condition in ipairs(status.conditions or {}) do
  if condition.status == "True" then
    conditions[condition.type] = condition
  end
end
local stalled, reconciling = conditions.Stalled, conditions.Reconciling
if stalled ~= nil then
  return { status = "Degraded", message = stalled.message }
end
if reconciling == nil then
  return { status = "Healthy", message = conditions.Accepted and conditions.Accepted.message or "" }
end
if reconciling.reason == "AwaitingPromotion" or reconciling.reason == "StepPaused" then
  return { status = "Suspended", message = reconciling.message }
end
return { status = "Progressing", message = reconciling.message }
