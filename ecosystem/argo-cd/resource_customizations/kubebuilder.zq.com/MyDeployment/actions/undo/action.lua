-- The operator puts the template of the revision before back, and removes the annotation with the same write.
obj.metadata.annotations = obj.metadata.annotations or {}
obj.metadata.annotations["mydeployment.kubebuilder.zq.com/rollback-to"] = "0"
return obj
