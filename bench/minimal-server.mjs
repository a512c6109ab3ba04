import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

/** The least server that the SDK allows: one tool that does nothing. The floor for start and memory. */
serveStdio(() => {
  const server = new McpServer({ name: 'minimal', version: '0.0.0' });
  server.registerTool('ping', { description: 'Answers.', inputSchema: z.object({}) }, () => ({
    content: [{ type: 'text', text: 'pong' }],
  }));
  return server;
});
