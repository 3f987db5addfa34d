import type { Report } from '@muster/contract/console/trends/console-trends'
import { describe, expect, test } from 'vitest'
import { useCommandLine } from '../../../../test/support/command-line.ts'
import { aFinding } from '../../../../test/support/fixtures.ts'
import { STORES } from '../../../../test/support/stores.ts'

for (const store of STORES) {
  describe(store, () => {
    const cli = useCommandLine(store)
    const at = Date.parse('2025-10-10') / 1000

    test('prints a month and a quarter as text, HTML and JSON', async () => {
      const finding = aFinding({
        creationTimestamp: at,
        lastUpdatedTimestamp: at + 2 * 86_400,
        state: 'RESOLVED',
        type: 'LEAKED_PASSWORD',
        employeeId: null,
        accountId: null,
        appId: null,
        passwordId: null,
        appType: null,
        weakPasswordReasons: null,
      })
      await cli.run('import', cli.file('findings.jsonl', [finding]))
      const report = await cli.json<Report>('report --month 2025-10')
      expect(report).toMatchObject({ id: '2025-10', fromTimestamp: Date.parse('2025-10-01') / 1000 })
      expect(report.flows.filter(({ count }) => count > 0)).toMatchObject([
        { name: 'opened.LEAKED_PASSWORD', count: 1, listed: 1, before: 0 },
        { name: 'closed.LEAKED_PASSWORD', count: 1, listed: 1, before: 0 },
      ])
      const text = await cli.run('report --quarter 2025-Q4')
      expect(text.stdout).toContain('Quarter 4 of 2025')
      expect(text.stdout).toMatch(/Mean time to resolve +2.0 days/)
      const html = await cli.run('report --month 2025-10 --html')
      expect(html.stdout).toMatch(/^<!doctype html>/)
      expect(html.stdout).toContain('October 2025')
    })

    test('says what a period looks like, and rejects one that has not begun', async () => {
      for (const [words, said] of [
        ['--month 2025-13', 'like 2026-10'],
        ['--month 2025-Q3', 'like 2026-10'],
        ['--quarter 2025-10', 'like 2026-Q4'],
        ['--month 2999-01', 'not begun'],
        ['--month 2025-10 --quarter 2025-Q4', 'either'],
        ['--month 2025-10 --html --json', 'either'],
      ]) {
        const { code, stderr } = await cli.run(`report ${words}`)
        expect([words, code === 0]).toEqual([words, false])
        expect(stderr).toContain(said)
      }
    })
  })
}
