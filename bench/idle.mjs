import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { minimalServer, withServer } from './server.mjs';
import { command } from './store.mjs';

const SETTLE_MS = 1500;
const BOUND = 1.5;

/**
 * Resident memory of a server that has shaken hands and does nothing, against the minimal one.
 * @param {import('./store.mjs').Vault} vault
 * @param {import('./report.mjs').Report} report
 */
export async function benchIdle(vault, report) {
  if (!existsSync('/proc/self/status')) {
    report.note('mcp, idle resident memory: not measured, it is read from /proc, which Linux has');
    return;
  }
  const ours = await residentMegabytes(command(vault, 'mcp'));
  const floor = await residentMegabytes(await minimalServer(vault.folder));
  report.add('mcp, idle memory in MB / minimal server', vault.size, { ours, floor }, BOUND);
}

/** @param {readonly string[]} args */
function residentMegabytes(args) {
  return withServer(args, async (pid) => {
    await sleep(SETTLE_MS);
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
  });
}
