const PARENT_CHECK_MS = 1_000;

/**
 * Calls back once when the process that started this one is gone: a client that was killed behind a
 * shell cannot close our input. Where the parent was gone from the start there is nothing to watch.
 */
export function onParentDeath(callback: () => void): () => void {
  const parent = process.ppid;
  if (parent <= 1) return () => {};
  const timer = setInterval(() => {
    if (process.ppid === parent && isAlive(parent)) return;
    clearInterval(timer);
    callback();
  }, PARENT_CHECK_MS);
  timer.unref();
  return () => clearInterval(timer);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
