import { describe } from 'vitest';
import { commitContract } from './contract/commits.ts';
import { likenessContract } from './contract/likeness.ts';
import { graphContract } from './contract/graph.ts';
import { compactionContract } from './contract/compaction.ts';
import { evidenceContract } from './contract/evidence.ts';
import { keywordContract } from './contract/keyword.ts';
import { keywordVolumeContract } from './contract/keyword-volume.ts';
import { logContract } from './contract/log.ts';
import { movingContract } from './contract/moving.ts';
import { noteContract } from './contract/notes.ts';
import { purgeContract } from './contract/purge.ts';
import { questionContract } from './contract/questions.ts';
import { readContract } from './contract/reads.ts';
import { rebuildContract } from './contract/rebuild.ts';
import { recordContract } from './contract/records.ts';
import { replicaContract } from './contract/replicas.ts';
import { selectContract } from './contract/selections.ts';
import { vectorContract } from './contract/vectors.ts';
import type { EngineHarness } from './engine-harness.ts';

/**
 * What every engine must do: an implementation is done when this passes. Expectations are literals
 * where a person can reckon them, and the answers of the in-memory engine where they cannot.
 */
export function engineContract(name: string, harness: EngineHarness): void {
  describe(`engine: ${name}`, () => {
    describe('commit', () => {
      commitContract(harness);
    });
    describe('likeness', () => {
      likenessContract(harness);
    });
    describe('reading', () => {
      readContract(harness);
    });
    describe('select', () => {
      selectContract(harness);
    });
    describe('keyword', () => {
      keywordContract(harness);
    });
    describe('keyword in numbers', () => {
      keywordVolumeContract(harness);
    });
    describe('questions', () => {
      questionContract(harness);
    });
    describe('vectors', () => {
      vectorContract(harness);
    });
    describe('log', () => {
      logContract(harness);
    });
    describe('moving', () => {
      movingContract(harness);
    });
    describe('records', () => {
      recordContract(harness);
    });
    describe('graph', () => {
      graphContract(harness);
    });
    describe('notes and pages', () => {
      noteContract(harness);
    });
    describe('rebuild', () => {
      rebuildContract(harness);
    });
    describe('merge and compact', () => {
      compactionContract(harness);
    });
    describe('purge', () => {
      purgeContract(harness);
    });
    describe('evidence', () => {
      evidenceContract(harness);
    });
    describe('replicas', () => {
      replicaContract(harness);
    });
  });
}
