// A process of its own that opens a store and asks for the nearest once: how long that takes, and how
// much memory it leaves taken. Arguments: the bundle with the engine, the store, a file with the question.
import { readFileSync } from 'node:fs';
import { floatsIn } from './vector-floors.mjs';
import { openVectorStore, request } from './vector-store.mjs';

const [bundle = '', store = '', questions = ''] = process.argv.slice(2);
const engine = await openVectorStore(store, bundle);
const question = request(floatsIn(readFileSync(questions)), 10);
await engine.stats({ projects: 'all', agents: 'all' });
const before = process.memoryUsage().rss;
const began = performance.now();
await engine.nearest(question);
const ms = performance.now() - began;
const megabytes = (process.memoryUsage().rss - before) / 2 ** 20;
await engine.close();
process.stdout.write(JSON.stringify({ ms, megabytes }));
