import type { NearestRequest, NearestResult } from '../../ports/engine.ts';
import { requireVector } from '../shared/vectors/checks.ts';
import type { Session } from './driver.ts';
import { ModelCodes } from './model-codes.ts';
import { nearestByServer } from './nearest-server.ts';
import { nearestHere } from './nearest-here.ts';
import type { Snapshot, Spaces } from './spaces.ts';
import { readModel, type ModelRow } from './vector-tables.ts';
import type { VectorLimits } from './vectors.ts';

/** Codes of one model that a process keeps, bytes: past that it begins anew with what is asked for. */
const MOST_BYTES = 256 * 2 ** 20;

const NOTHING: NearestResult = { hits: [], mean: 0, deviation: 0, compared: 0 };

/**
 * Search by meaning. Codes of the spaces that are searched are kept here, so that the nearest are
 * exactly those of every engine; where a view holds too many for that, the server searches.
 */
export class VectorIndex {
  readonly #spaces: Spaces;
  readonly #limits: VectorLimits;
  /** By the number of the model: one that is dropped and made again has another. */
  readonly #kept = new Map<number, ModelCodes>();

  constructor(spaces: Spaces, limits: VectorLimits) {
    this.#spaces = spaces;
    this.#limits = limits;
  }

  nearest(snapshot: Snapshot, request: NearestRequest): Promise<NearestResult> {
    const asked = { ...request, k: Math.max(0, request.k) };
    return this.#spaces.search(snapshot, (session, done) => this.#nearest(session, asked, done));
  }

  async #nearest(
    session: Session,
    request: NearestRequest,
    done: () => void,
  ): Promise<NearestResult> {
    const [model, { spaces, admits }] = await Promise.all([
      readModel(session, request.model),
      this.#spaces.open(session, request.view, request.filter),
    ]);
    if (!model) return NOTHING;
    requireVector(request.vector, model.dimensions);
    const documents = spaces.reduce((sum, space) => sum + space.documents, 0);
    if (documents * model.dimensions > this.#limits.hereNumbers) {
      done();
      return nearestByServer(session, model, request, this.#limits.scanUpTo);
    }
    const codes = this.#codesOf(model);
    return nearestHere(session, { model, codes, spaces, admits }, request, done);
  }

  #codesOf({ model, dimensions }: ModelRow): ModelCodes {
    const known = this.#kept.get(model);
    if (known && !known.isStale && known.bytes <= MOST_BYTES) return known;
    const codes = new ModelCodes(dimensions);
    this.#kept.set(model, codes);
    return codes;
  }
}
