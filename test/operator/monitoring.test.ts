import { describe, expect, it } from '@jest/globals';
import { render, renderAll } from './rendered.ts';

describe('metrics', () => {
  it('are found through a Service', () => {
    expect(render('Service', 'mydeployment-metrics-service')).toMatchObject({
      metadata: { labels: { 'app.kubernetes.io/component': 'metrics' } },
      spec: { ports: [{ name: 'https', port: 8443, targetPort: 'metrics' }] },
    });
  });

  it('are announced to the Prometheus operator when asked, with a certificate that Prometheus can check', () => {
    expect(render('ServiceMonitor', 'mydeployment-metrics-service', { serviceMonitor: true })).toMatchObject({
      apiVersion: 'monitoring.coreos.com/v1',
      metadata: { namespace: 'mydeployment-system' },
      spec: {
        selector: { matchLabels: { 'app.kubernetes.io/component': 'metrics' } },
        endpoints: [
          {
            path: '/metrics',
            port: 'https',
            scheme: 'https',
            bearerTokenFile: '/var/run/secrets/kubernetes.io/serviceaccount/token',
            tlsConfig: {
              ca: { secret: { name: 'mydeployment-webhook-certificates', key: 'ca.crt' } },
              serverName: 'mydeployment-webhook-service.mydeployment-system.svc',
            },
          },
        ],
      },
    });
    expect(renderAll().map(({ kind }) => kind)).not.toContain('ServiceMonitor');
  });

  it('are not served without a certificate', () => {
    const names = renderAll({ webhooks: false }).map(({ metadata }) => metadata.name);
    expect(names.filter((name) => name.includes('metrics'))).toEqual([]);
  });
});
