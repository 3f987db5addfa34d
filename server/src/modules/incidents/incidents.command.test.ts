import type { ListedIncident } from '@muster/contract/console/incidents/incident'
import { asDetectionEmployee } from '@muster/contract/records/detection'
import { describe, expect, test } from 'vitest'
import { useCommandLine } from '../../../../test/support/command-line.ts'
import { aDetection, anEmployee } from '../../../../test/support/fixtures.ts'
import { STORES } from '../../../../test/support/stores.ts'

const at = Date.parse('2025-10-08') / 1000

for (const store of STORES) {
  describe(store, () => {
    const cli = useCommandLine(store)

    test('lists imported detections that belong together, also before a server has started', async () => {
      const people = ['Cleo', 'Dora', 'Emil'].map((firstName) => anEmployee({ firstName, lastName: 'Berg' }))
      const detections = people.map((employee, number) =>
        aDetection({
          employeeId: employee.id,
          employee: asDetectionEmployee(employee),
          browserId: null,
          appId: null,
          appType: null,
          detectionType: 'PHISHING',
          archived: number === 0,
          url: 'https://login.phish.example/',
          creationTimestamp: at,
          lastActivityTimestamp: at + number,
        }),
      )
      expect((await cli.run('incidents list')).stderr).toContain('No incidents.')
      await cli.run('import', cli.file('employees.jsonl', people))
      await cli.run('import', cli.file('detections.jsonl', detections))
      expect(await cli.json<ListedIncident[]>('incidents list --status OPEN')).toMatchObject([
        { title: 'Phishing on phish.example: 3 people', detections: 3, openDetections: 2, status: 'OPEN' },
      ])
      expect(await cli.json<ListedIncident[]>('incidents list --status CLOSED')).toEqual([])
      const { stdout } = await cli.run('incidents list')
      expect(stdout).toMatch(/OPEN +\w+ +Phishing on phish\.example: 3 people +3 +2 of 3 +2025-10-08/)
      const corrected = detections.map((one) => ({ ...one, url: 'https://corrected.example/' }))
      await cli.run('import', cli.file('detections.jsonl', corrected))
      expect(await cli.json<ListedIncident[]>('incidents list')).toMatchObject([
        { title: 'Phishing on corrected.example: 3 people', detections: 3 },
      ])
    })
  })
}
