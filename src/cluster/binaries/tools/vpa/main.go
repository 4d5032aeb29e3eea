// Does with one workload what the Vertical Pod Autoscaler does, by its own packages: the recommender finds the pods of the
// target through a label selector, the updater finds the target that a pod belongs to, and then evicts its pods.
// Standard output is one JSON object. Evictions are real.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"time"

	autoscaling "k8s.io/api/autoscaling/v1"
	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	vpatypes "k8s.io/autoscaler/vertical-pod-autoscaler/pkg/apis/autoscaling.k8s.io/v1"
	"k8s.io/autoscaler/vertical-pod-autoscaler/pkg/target"
	controllerfetcher "k8s.io/autoscaler/vertical-pod-autoscaler/pkg/target/controller_fetcher"
	"k8s.io/autoscaler/vertical-pod-autoscaler/pkg/updater/restriction"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/record"
)

// The updater's own defaults.
const (
	minReplicas       = 2
	evictionTolerance = 0.5
)

type answer struct {
	// The selector by which the recommender finds the pods.
	Selector string `json:"selector"`
	// The controllers that the updater finds above the pods, as kind/name; each once.
	Targets []string `json:"targets"`
	Pods    int      `json:"pods"`
	Evicted int      `json:"evicted"`
	// Why the API server refused evictions that the updater allows itself; each once.
	Refusals []string `json:"refusals"`
}

func main() {
	kubeconfig := flag.String("kubeconfig", "", "the kubeconfig of the cluster")
	namespace := flag.String("namespace", "default", "where the target is")
	apiVersion := flag.String("api-version", "", "the apiVersion of the target")
	kind := flag.String("kind", "", "the kind of the target")
	name := flag.String("name", "", "the name of the target")
	evict := flag.Bool("evict", false, "evict pods as the updater does in one of its rounds")
	flag.Parse()

	vpa := &vpatypes.VerticalPodAutoscaler{
		ObjectMeta: meta.ObjectMeta{Namespace: *namespace, Name: *name},
		Spec: vpatypes.VerticalPodAutoscalerSpec{
			TargetRef: &autoscaling.CrossVersionObjectReference{APIVersion: *apiVersion, Kind: *kind, Name: *name},
		},
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	found, err := run(ctx, *kubeconfig, vpa, *evict)
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(found)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, kubeconfig string, vpa *vpatypes.VerticalPodAutoscaler, evict bool) (*answer, error) {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return nil, err
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	factory := informers.NewSharedInformerFactory(client, 0)
	selectors := target.NewVpaTargetSelectorFetcher(config, client, factory, ctx.Done())
	controllers := controllerfetcher.NewControllerFetcher(config, client, factory, time.Hour, time.Hour, 0, ctx.Done())
	restrictions := restriction.NewPodsRestrictionFactory(client, factory, minReplicas, evictionTolerance, nil, false)
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())

	selector, err := selectors.Fetch(ctx, vpa)
	if err != nil {
		return nil, err
	}
	list, err := client.CoreV1().Pods(vpa.Namespace).List(ctx, meta.ListOptions{LabelSelector: selector.String()})
	if err != nil {
		return nil, err
	}
	found := &answer{Selector: selector.String(), Targets: []string{}, Pods: len(list.Items), Refusals: []string{}}
	pods := make([]*core.Pod, 0, len(list.Items))
	for i := range list.Items {
		pod := &list.Items[i]
		pods = append(pods, pod)
		top, err := targetOf(ctx, controllers, pod)
		if err != nil {
			return nil, err
		}
		found.Targets = addOnce(found.Targets, top)
	}
	if evict {
		err = evictAll(restrictions, pods, vpa, found)
	}
	return found, err
}

func targetOf(ctx context.Context, controllers controllerfetcher.ControllerFetcher, pod *core.Pod) (string, error) {
	owner := meta.GetControllerOf(pod)
	if owner == nil {
		return "", fmt.Errorf("pod %s has no controller", pod.Name)
	}
	key := &controllerfetcher.ControllerKeyWithAPIVersion{
		ControllerKey: controllerfetcher.ControllerKey{Namespace: pod.Namespace, Kind: owner.Kind, Name: owner.Name},
		ApiVersion:    owner.APIVersion,
	}
	top, err := controllers.FindTopMostWellKnownOrScalable(ctx, key)
	if err != nil || top == nil {
		return "none", err
	}
	return top.Kind + "/" + top.Name, nil
}

func evictAll(
	restrictions restriction.PodsRestrictionFactory, pods []*core.Pod, vpa *vpatypes.VerticalPodAutoscaler, found *answer,
) error {
	groups, creators, err := restrictions.GetCreatorMaps(pods, vpa)
	if err != nil {
		return err
	}
	allowed := restrictions.NewPodsEvictionRestriction(groups, creators)
	for _, pod := range pods {
		if !allowed.CanEvict(pod) {
			continue
		}
		if err := allowed.Evict(pod, vpa, &record.FakeRecorder{}); err != nil {
			found.Refusals = addOnce(found.Refusals, err.Error())
			continue
		}
		found.Evicted++
	}
	return nil
}

func addOnce(list []string, item string) []string {
	for _, each := range list {
		if each == item {
			return list
		}
	}
	return append(list, item)
}
