// `npm run schema:refresh`: writes the schema of pod templates, as a running API server describes it (KUBECONFIG, or the embedded
// cluster of `make cluster-up`), to the file that kinds read. Run it when the supported Kubernetes version changes, then
// `make synth` and `make generate`, which bring new fields into CRDs, types and constructs.

import { writeFileSync } from 'node:fs';
import { delimiter } from 'node:path';
import { readKubeconfig } from '../runtime/client/access.ts';
import { createClient } from '../runtime/client/client.ts';
import { Connection } from '../runtime/client/connection.ts';
import { APPS_V1, type OpenApiDocument, POD_TEMPLATE, structuralSchema } from './openapi.ts';

const FILE = 'src/workload/pod-template.schema.gen.json';

const connection = new Connection(
  await readKubeconfig((process.env.KUBECONFIG ?? '.cluster/kubeconfig').split(delimiter)),
);
try {
  const answer = await createClient(connection).raw('GET', APPS_V1);
  const document = JSON.parse(answer.body) as OpenApiDocument;
  writeFileSync(FILE, `${JSON.stringify(structuralSchema(document, POD_TEMPLATE), null, 2)}\n`);
  console.log(`  - ${FILE}`);
} finally {
  await connection.close();
}
