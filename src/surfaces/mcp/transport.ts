/* oxlint-disable unicorn/prefer-add-event-listener -- the SDK's transports have callbacks, not events */
import { PassThrough } from 'node:stream';
import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type RequestId,
  type Transport,
} from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

const DRAIN_MS = 2_000;

/**
 * Standard input and output, as the SDK's transport speaks them, with one difference: when input
 * ends, requests that came before are answered first, for a while, so that `… | loci mcp` works.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  /** Resolves when the connection has ended, for whatever reason. */
  readonly closed: Promise<void>;
  readonly #input = new PassThrough();
  readonly #inner: StdioServerTransport;
  readonly #open = new Set<RequestId>();
  #inputEnded = false;

  constructor() {
    this.#inner = new StdioServerTransport(this.#input, process.stdout);
    this.closed = new Promise((resolve) => {
      this.#inner.onclose = () => {
        this.onclose?.();
        resolve();
      };
    });
    this.#inner.onerror = (error) => this.onerror?.(error);
    this.#inner.onmessage = (message) => this.#receive(message);
  }

  async start(): Promise<void> {
    await this.#inner.start();
    process.stdin.once('end', () => this.#endInput());
    process.stdin.once('close', () => this.#endInput());
    process.stdin.once('error', () => this.#endInput());
    process.stdin.pipe(this.#input, { end: false });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    try {
      await this.#inner.send(message);
    } finally {
      if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) {
        if (message.id !== undefined) this.#open.delete(message.id);
        this.#closeWhenDrained();
      }
    }
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  #receive(message: JSONRPCMessage): void {
    if (isJSONRPCRequest(message)) this.#open.add(message.id);
    else if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled') {
      // A cancelled request gets no answer.
      this.#open.delete(message.params?.requestId as RequestId);
    }
    this.onmessage?.(message);
  }

  #endInput(): void {
    if (this.#inputEnded) return;
    this.#inputEnded = true;
    setTimeout(() => this.#input.end(), DRAIN_MS).unref();
    // What was read last is still on its way through the pipe.
    setImmediate(() => this.#closeWhenDrained());
  }

  #closeWhenDrained(): void {
    if (this.#inputEnded && this.#open.size === 0) this.#input.end();
  }
}
