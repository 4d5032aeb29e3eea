// Objects of every kind in every phase: kstatus, by which Helm 4 and Flux wait, reads them right, and the recordings that
// the scripts for Argo CD are tested with are what the operator writes today.

import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { useStage } from '../e2e/stage.ts';
import { eventually } from '../support/eventually.ts';
import { describeWithTool } from '../support/tools.ts';
import { ask } from './line-program.ts';
import { enter, PHASES } from './phases.ts';
import { record, recorded } from './recording.ts';

const stage = await useStage({ name: 'phases', nodes: 2 });

await describeWithTool('kstatus', 'kstatus', (kstatus) => {
  it.concurrent.each(PHASES)('reads a $kind that is $phase as $kstatus, as recorded', async (phase) => {
    const read = await enter(phase, stage);
    // A recording is made of what stays.
    if (process.env.UPDATE_RECORDINGS === 'true' && !phase.isNew) await delay(8000);
    await eventually(async () => {
      const object = await read();
      expect(ask(kstatus, [object])).toMatchObject([{ status: phase.kstatus }]);
      const seen = record(object, phase.spec);
      expect(seen).toEqual(recorded(seen, phase.phase));
    });
  });
});
