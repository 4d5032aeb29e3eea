import { describe, expect, it } from '@jest/globals';
import { cpuSeconds, peakRssMiB, rssMiB } from './process-usage.ts';

describe('cpuSeconds', () => {
  it('adds user and system time, whatever the program is called', () => {
    const stat = '4711 (a) name (x) S 1 4711 4711 0 -1 4194560 9 8 7 6 250 75 31 32 20 0 11 0 123456 0 0';
    expect(cpuSeconds(stat)).toBe(3.25);
  });
});

describe('memory', () => {
  it('is the high-water mark, or what is resident now', () => {
    const status = 'Name:\tnode\nVmPeak:\t 9999 kB\nVmHWM:\t  102400 kB\nVmRSS:\t   51200 kB\n';
    expect([peakRssMiB(status), rssMiB(status)]).toEqual([100, 50]);
  });

  it('shows what it could not read', () => {
    expect(() => peakRssMiB('Name:\tkthread\n')).toThrow('no VmHWM in "Name:\\tkthread\\n"');
  });
});
