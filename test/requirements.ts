/**
 * What this release promises: each is cited by the title of a test, like `[A6]`, and a test fails
 * for one that is not. A promise joins the list with the work that keeps it.
 */
export const REQUIREMENTS: readonly { readonly id: string; readonly line: string }[] = [
  {
    id: 'A1',
    line: 'A memory is text with type, tier, status and provenance; what is not given has a default.',
  },
  { id: 'A2', line: 'Types have prefixes and times to live; what was inferred is a belief.' },
  {
    id: 'A3',
    line: 'Each type has a tier of its own, which a caller can override; tiers age, and only meditate acts on it.',
  },
  {
    id: 'A4',
    line: 'Statuses change with a reason and in the log; untrusted sources make drafts.',
  },
  { id: 'A5', line: 'Provenance is kept, in free form too; an unknown source is not trusted.' },
  { id: 'A6', line: 'Remember takes one or many, a known id updates, and each gets a receipt.' },
  { id: 'A7', line: 'A successor replaces a memory and keeps it as history.' },
  { id: 'A8', line: 'What was rejected stays away, and so does any text equal to it.' },
  { id: 'A9', line: 'Evidence is kept once, by its hash, and linked from memories.' },
  {
    id: 'A11',
    line: 'What is purged is in no file of the store, and nothing brings it back; no agent can ask.',
  },
  {
    id: 'A12',
    line: 'Secrets leave a placeholder; what is known is recognised, and a changed claim is kept.',
  },
  { id: 'A10', line: 'What a session did is one episode a session, listed newest first.' },
  {
    id: 'B1',
    line: 'A vault is Markdown files that people and other programs read, edit and make.',
  },
  {
    id: 'B2',
    line: 'The index is rebuilt to what it was, pages come back, and the log restores everything.',
  },
  {
    id: 'E3',
    line: 'Reflect expires, joins duplicates, promotes, flags conflicts and renews pages, and then rests.',
  },
  {
    id: 'E4',
    line: 'Meditate archives what is stale by its tier and reports duplicates, and what lint finds on request.',
  },
  {
    id: 'E7',
    line: 'What does not agree is listed with both sides, and settled as somebody says.',
  },
  { id: 'E8', line: 'Five pages say what a store knows; they are written only when they change.' },
  {
    id: 'I2',
    line: 'Whatever upkeep changes is shown before and after, and taken back whole or one by one.',
  },
  { id: 'B3', line: 'A whole store is one SQLite file.' },
  {
    id: 'B4',
    line: 'A PostgreSQL database is a store like any other, on a server or in this process.',
  },
  {
    id: 'B5',
    line: 'One contract holds on every engine, to the last bit of a score; stores move between them.',
  },
  {
    id: 'B6',
    line: 'Every change is an event with its full snapshot; replay gives the same state in any order.',
  },
  {
    id: 'B7',
    line: 'Logs of replicas are joined in any order; edits that contradict each other are listed.',
  },
  {
    id: 'B8',
    line: 'A reader follows the changes with a cursor, and is told when it means nothing any more.',
  },
  {
    id: 'B9',
    line: 'Migrations run once, whole and in order; a store of a newer program is refused untouched.',
  },
  {
    id: 'B10',
    line: 'A store is written as JSON lines and taken from them, whole or by project, as often as one likes.',
  },
  { id: 'B11', line: 'Several processes share a store and none loses what it was told is stored.' },
  {
    id: 'B12',
    line: 'Files that people edit are read, kept as they are, or named with their line.',
  },
  {
    id: 'C2',
    line: 'What a memory is and who stands beside it moves its score by documented weights that can be set.',
  },
  { id: 'C3', line: 'Scores lie from 0 to 1, and a floor leaves out what is weaker.' },
  { id: 'C4', line: 'An answer holds no three copies of one thing, and spreads as far as asked.' },
  { id: 'C5', line: 'A token budget is kept to the token, with real counts.' },
  { id: 'C6', line: 'Tiers are searched in order, and the first that answers for sure is enough.' },
  { id: 'C7', line: 'A recalled memory carries what a reader must know before relying on it.' },
  {
    id: 'C8',
    line: 'An entity narrows recall, with or without a question, and its links are shown.',
  },
  { id: 'C9', line: 'Memories are listed by any criterion, in order, page by page.' },
  {
    id: 'C10',
    line: 'A project sees its own and the global memories, an agent its own and the shared.',
  },
  { id: 'C11', line: 'Reads answer as things held, or as the store knew them, at a time.' },
  { id: 'C12', line: 'A missing or damaged index is built again; nothing but time is lost.' },
  { id: 'C13', line: 'Words of any script and exact identifiers are found.' },
  { id: 'C14', line: 'A question is text, never syntax.' },
  {
    id: 'C15',
    line: 'Folders of Markdown are indexed and found apart from memories; unchanged files are skipped.',
  },
  {
    id: 'C16',
    line: 'One session hands over to the next within a token budget, in parts that are sure of a share.',
  },
  { id: 'D3', line: 'An embedder that cannot be is an error that lists what can; servers start.' },
  {
    id: 'E5',
    line: 'What wants looking at is found without a model; only what is sure is settled, and undoable.',
  },
  {
    id: 'E6',
    line: 'A store is examined from the ground up, and each finding says what mends it.',
  },
  {
    id: 'E11',
    line: 'Status counts memories and tags, says how old they are, and what each agent holds.',
  },
  {
    id: 'E1',
    line: 'Edges are typed, of known kinds and any other; both ends are checked, and they can go again.',
  },
  {
    id: 'E2',
    line: 'Links and ids in texts become edges, resolved once; who names whom is indexed.',
  },
  {
    id: 'E9',
    line: 'Activation spreads from a few memories to what they bring to mind, and distant pairs show.',
  },
  {
    id: 'E10',
    line: 'How self-referential a store is has a measure, a phase and a history by days.',
  },
  { id: 'G1', line: 'Projects share a store, and nothing of one shows in another.' },
  {
    id: 'G2',
    line: 'Agents have drawers of their own beside a shared one, into which they give copies.',
  },
  { id: 'H1', line: 'Every verb is a command with help, examples, JSON and exit codes.' },
  { id: 'H2', line: 'Every verb is a method of the library, with types.' },
  { id: 'H3', line: 'Every host can speak to the server, in both eras of the protocol.' },
  { id: 'H9', line: 'Every setting has a known origin, and errors at the start say what to set.' },
  { id: 'I1', line: 'Equal contents have one hash, on every engine and after every rebuild.' },
  { id: 'I4', line: 'What comes from several sources is trusted no more than the least of them.' },
  { id: 'I5', line: 'A project is recognised by its repository, from any of its worktrees.' },
  { id: 'I6', line: 'Questions kept beside a store are asked again, and a worse answer fails.' },
  { id: 'I7', line: 'Recall tells where a given memory was lost on the way to the answer.' },
  {
    id: 'I3',
    line: 'A memory cites code, and recall says when that code has changed, moved or gone.',
  },
  {
    id: 'I9',
    line: 'Recall names what nothing speaks of, how old its answer is, and a weak match.',
  },
  {
    id: 'C1',
    line: 'Search is by words and by meaning, fused; without an embedder it is by words, and says why.',
  },
  {
    id: 'D1',
    line: 'Embedders: builtin, local encoders, Ollama, OpenAI-compatible servers; each from the settings.',
  },
  {
    id: 'D2',
    line: 'Vectors of two models are never compared; another model is embedded in bulk.',
  },
  {
    id: 'D4',
    line: 'An embedder that is down, slow or wrong loses and blocks nothing, and heals later.',
  },
  {
    id: 'D5',
    line: 'Questions and memories are embedded as their model asks, long texts in passages.',
  },
];
