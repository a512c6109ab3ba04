import type { CallToolResult } from '@modelcontextprotocol/server';
import { asLociError, LociError } from '../../domain/errors.ts';
import type { GetResult, RememberResult } from '../../domain/results.ts';
import type { Operation, OperationIo } from '../../operations/operation.ts';
import { readArguments } from './arguments.ts';
import { runPaged } from './page.ts';
import type { LazyStore } from './store.ts';
import type { Result } from './text.ts';

export interface Call {
  readonly operation: Operation;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Who stands in the events that it makes. */
  readonly actor: string;
  readonly signal: AbortSignal;
  readonly io: OperationIo;
}

/** Runs one tool call. Whatever goes wrong is a result that says so, never a protocol error. */
export async function callTool(call: Call, store: LazyStore): Promise<CallToolResult> {
  try {
    const input = readArguments(call.operation, call.arguments);
    const work = store.use((opened) =>
      runPaged(call.operation, opened.scoped({ actor: call.actor }), input, call.io),
    );
    const { text, result } = await orCancelled(work, call.signal);
    return {
      content: [{ type: 'text', text }],
      structuredContent: { ...result },
      ...(hasFailed(call.operation, result) ? { isError: true } : {}),
    };
  } catch (thrown) {
    return errorResult(asLociError(thrown));
  }
}

function errorResult({ code, message, hint }: LociError): CallToolResult {
  const text = hint ? `${code}: ${message} (${hint})` : `${code}: ${message}`;
  return { content: [{ type: 'text', text }], isError: true };
}

/** Nothing was stored, or nothing was found by id: a failure, however orderly the answer looks. */
function hasFailed({ name }: Operation, result: Result): boolean {
  if (name === 'get') return (result as unknown as GetResult).memories.length === 0;
  if (name !== 'remember') return false;
  const { results } = result as unknown as RememberResult;
  return results.every(({ outcome }) => outcome === 'refused');
}

/** Stops waiting when the caller does. A write that is under way is not undone by it. */
function orCancelled<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const cancel = (): void => reject(new LociError('cancelled', 'the call was cancelled'));
    if (signal.aborted) cancel();
    signal.addEventListener('abort', cancel, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', cancel));
  });
}
