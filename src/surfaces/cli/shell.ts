import { environment, type Environment } from '../../config.ts';
import { styleFor, wantsColour, type Style } from './terminal/style.ts';

interface Channel {
  /** @param whenTaken called when the reader has it: for what is too large to wait in memory */
  write(text: string, whenTaken?: (error?: Error | null) => void): void;
  readonly isTerminal: boolean;
  readonly style: Style;
  /** Columns. */
  readonly width: number;
}

/** The world a command runs in. */
export interface Shell {
  readonly env: Environment;
  readonly cwd: string;
  readonly out: Channel;
  readonly err: Channel;
  nowMs(): number;
  /** All of stdin. */
  readInput(): Promise<string>;
}

const PIPED_WIDTH = 100;

export function processShell(): Shell {
  const env = environment();
  return {
    env,
    cwd: process.cwd(),
    out: channel(process.stdout, env),
    err: channel(process.stderr, env),
    nowMs: () => Date.now(),
    async readInput() {
      const chunks: Uint8Array[] = [];
      for await (const chunk of process.stdin) chunks.push(chunk as Uint8Array);
      return Buffer.concat(chunks).toString('utf8');
    },
  };
}

function channel(stream: NodeJS.WriteStream, env: Environment): Channel {
  const isTerminal = stream.isTTY === true;
  return {
    write: (text, whenTaken) => void stream.write(text, whenTaken),
    isTerminal,
    style: styleFor(wantsColour(env, isTerminal)),
    width: isTerminal ? Math.max(40, stream.columns || 80) : PIPED_WIDTH,
  };
}
