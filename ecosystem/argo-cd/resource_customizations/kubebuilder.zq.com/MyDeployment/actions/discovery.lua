-- Which actions make sense for the object as it is.
local paused = obj.spec.paused == true
return {
  restart = { disabled = paused },
  pause = { disabled = paused },
  resume = { disabled = not paused },
  undo = { disabled = paused },
}
