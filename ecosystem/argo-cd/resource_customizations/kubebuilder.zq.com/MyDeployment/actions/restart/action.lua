-- What `kubectl rollout restart` writes.
obj.spec.template.metadata = obj.spec.template.metadata or {}
obj.spec.template.metadata.annotations = obj.spec.template.metadata.annotations or {}
obj.spec.template.metadata.annotations["kubectl.kubernetes.io/restartedAt"] = os.date("!%Y-%m-%dT%H:%M:%SZ")
return obj
