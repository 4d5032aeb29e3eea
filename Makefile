# Every target works on a fresh clone by itself: it installs what it needs first. `make help` lists them.
SHELL := /bin/sh
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

# A person's own KUBECONFIG is never picked up unasked: only `make run KUBECONFIG=path` counts.
# npm scripts run on the Node that package.json pins, whatever Node the machine has.
RUN := npm run --silent

##@ Everyday
.PHONY: run
run: node_modules ## A real cluster with MyDeployment on it, until Ctrl-C (NODE=real: pods have containers). KUBECONFIG=path: only the operator, for that cluster (ENABLE_WEBHOOKS=false, ARGS=its flags)
	@$(RUN) start -- $(if $(filter command,$(origin KUBECONFIG)),--kubeconfig '$(KUBECONFIG)') $(if $(filter command,$(origin NODE)),--node '$(NODE)') -- $(ARGS)

.PHONY: demo
demo: node_modules ## A narrated tour of MyDeployment on a cluster of its own, each step checked
	@$(RUN) demo

.PHONY: test
test: node_modules ## Everything: types, lint, unit, property, drift of generated files, tests on the embedded cluster
	@$(RUN) check

.PHONY: unit
unit: node_modules ## Only what needs no cluster: types, lint, unit and property tests
	@$(RUN) check:unit

.PHONY: chaos
chaos: node_modules ## The fault campaign: simulated schedules, crash points, faults, spec transitions (BUDGET=10m, ONLY=part, SEED=n replays)
	@BUDGET='$(BUDGET)' ONLY='$(ONLY)' SEED='$(SEED)' $(RUN) chaos

.PHONY: mutants
mutants: node_modules ## Mutation testing: changes the pure code in small places, one at a time, and looks whether a test notices (ONLY=path, BUDGET=1m, SEED=n, AIM=98)
	@ONLY='$(ONLY)' BUDGET='$(BUDGET)' SEED='$(SEED)' AIM='$(AIM)' $(RUN) mutants

.PHONY: bench
bench: node_modules ## The benchmark, side by side with the native Deployment, in one run
	@$(RUN) bench

##@ On a cluster of yours (KUBECONFIG, IMG)
.PHONY: install
install: ## Apply the CRDs
	kubectl apply -f crds/

.PHONY: uninstall
uninstall: ## Delete the CRDs, and with them every object of these kinds
	kubectl delete --ignore-not-found -f crds/

.PHONY: deploy
deploy: install ## Apply the CRDs and the operator, with the image IMG if given
	awk -v image='$(IMG)' 'FNR == 1 { print "---" } image { sub(/image: mydeployment:.*/, "image: " image) } 1' \
	  manifests/*.yaml | kubectl apply -f -

.PHONY: undeploy
undeploy: ## Delete the operator; the CRDs and their objects stay
	kubectl delete --ignore-not-found -f manifests/

.PHONY: image
image: node_modules ## Build the operator's image as IMG, with the container engine that answers, or with none (ENGINE=none)
	@$(RUN) image -- --image '$(IMG)' --engine '$(ENGINE)'

.PHONY: release
release: node_modules ## Everything that is published, into dist/release with checksums (RELEASE_URL=where it will be served)
	@RELEASE_URL='$(RELEASE_URL)' $(RUN) release

.PHONY: pack
pack: node_modules ## The npm package as a tarball in dist/, for npm install: constructs, runtime and kubectl md
	@mkdir -p dist
	@file=$$(npm pack --silent --foreground-scripts=false --pack-destination dist) && echo "  - dist/$$file"

##@ Generated files
.PHONY: synth
synth: node_modules ## Constructs -> crds/, manifests/ and charts/
	@$(RUN) synth

.PHONY: generate
generate: synth ## crds/ -> types and typed constructs
	@$(RUN) generate

##@ Embedded cluster
.PHONY: cluster-up
cluster-up: node_modules ## Start the embedded cluster in the background; kubeconfig at .cluster/kubeconfig
	@$(RUN) cluster -- up

.PHONY: cluster-down
cluster-down: node_modules ## Stop it; nothing is left running
	@$(RUN) cluster -- down

##@ Other
.PHONY: format
format: node_modules ## Format and fix what the linter can fix
	@$(RUN) format

.PHONY: clean
clean: ## Remove what was built and installed here (the cache of cluster binaries stays)
	rm -rf node_modules dist coverage .cluster

.PHONY: help
help: ## List the targets
	@awk 'BEGIN { FS = ":.*## " } /^##@/ { printf "\n%s\n", substr($$0, 5) } \
	  /^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile

# npm ci leaves no timestamp behind that make could use, so we do.
node_modules: node_modules/.installed
node_modules/.installed: package.json package-lock.json
	@command -v npm >/dev/null || { echo "npm is not installed: install Node.js 20 or later (it brings npm)"; exit 1; }
	npm ci --no-audit --no-fund --loglevel=error
	@touch $@
