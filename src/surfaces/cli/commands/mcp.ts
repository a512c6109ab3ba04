import { flagsOf, type Invocation } from '../invocation.ts';
import { version } from '../../../config.ts';

/** `mcp`: the server on stdio. It ends the process itself, when its client goes. */
export async function runMcp(
  { surface }: { readonly surface?: string },
  invocation: Invocation,
): Promise<number> {
  const { serveMcp } = await import('../../mcp/serve.ts');
  await serveMcp({ flags: { ...flagsOf(invocation), surface }, version: version() });
  return 0;
}
