// A vitest reporter for .ci/run: writes the counts and the reasons of skipped tests, which vitest's
// own JSON reporter leaves out, to the file named by TEST_REPORT.
import { writeFileSync } from 'node:fs';

/** @typedef {{ passed: number, failed: number, skipped: { name: string, reason: string }[] }} Report */

/** @typedef {import('vitest/node').Reporter} Reporter */

/** @implements {Reporter} */
export default class CountsReporter {
  /**
   * @param {readonly import('vitest/node').TestModule[]} modules
   * @param {readonly unknown[]} unhandledErrors
   */
  onTestRunEnd(modules, unhandledErrors) {
    const file = process.env.TEST_REPORT;
    if (!file) throw new Error('TEST_REPORT must name the file to write');
    /** @type {Report} */
    const report = { passed: 0, failed: unhandledErrors.length, skipped: [] };
    for (const module of modules) {
      const tests = [...module.children.allTests()];
      const failed = tests.filter((test) => test.result().state === 'failed').length;
      // A file that does not load, or fails outside its tests, is one failure.
      report.failed += failed === 0 && module.state() === 'failed' ? 1 : failed;
      report.passed += tests.filter((test) => test.result().state === 'passed').length;
      for (const test of tests) {
        const result = test.result();
        if (result.state !== 'skipped' && result.state !== 'pending') continue;
        const reason = (result.state === 'skipped' && result.note) || 'no reason given';
        report.skipped.push({ name: `${module.relativeModuleId} > ${test.fullName}`, reason });
      }
    }
    writeFileSync(file, JSON.stringify(report));
  }
}
