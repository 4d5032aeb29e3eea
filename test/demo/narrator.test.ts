import { describe, expect, it } from '@jest/globals';
import { Narrator } from '../../src/demo/narrator.ts';

const same = (text: string): string => text;
const marked = (mark: string) => (text: string) => `<${mark}>${text}</${mark}>`;

function told(tell: (narrator: Narrator) => void, palette = { good: same, bad: same, strong: same }): string {
  const pieces: string[] = [];
  tell(new Narrator({ write: (text) => pieces.push(text), palette }));
  return pieces.join('');
}

describe('the narrator', () => {
  it('puts a chapter, its commands and what came of them under each other', () => {
    const text = told((narrator) => {
      narrator.chapter('Scale', 'Three become six.');
      narrator.command('kubectl scale md web --replicas=6');
      narrator.output('scaled\n');
      narrator.holds('6 pods are ready');
      narrator.failed('expected: 7 pods');
    });
    expect(text).toBe(
      [
        '',
        '== Scale',
        'Three become six.',
        '',
        '$ kubectl scale md web --replicas=6',
        'scaled',
        '  ✓ 6 pods are ready',
        '  ✗ expected: 7 pods',
        '',
      ].join('\n'),
    );
  });

  it('paints what a person should see first', () => {
    const palette = { good: marked('good'), bad: marked('bad'), strong: marked('strong') };
    const text = told((narrator) => {
      narrator.command('kubectl get md');
      narrator.holds('yes');
      narrator.failed('no');
    }, palette);
    expect(text).toBe('\n<strong>$ kubectl get md</strong>\n<good>  ✓ yes</good>\n<bad>  ✗ no</bad>\n');
  });

  it('ends with every part and its time, and the time of all', () => {
    const text = told((narrator) =>
      narrator.summary([
        { title: 'Create', ms: 1250 },
        { title: 'Roll out', ms: 10_400 },
      ]),
    );
    expect(text).toBe(
      ['', '== What you saw', '  Create       1.3 s', '  Roll out    10.4 s', '  all of it   11.7 s', ''].join('\n'),
    );
  });
});
