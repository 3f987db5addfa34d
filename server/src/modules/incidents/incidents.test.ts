import type { IncidentDetail } from '@muster/contract/console/incidents/console-incidents'
import type { ListedIncident } from '@muster/contract/console/incidents/incident'
import { type Detection, detections } from '@muster/contract/records/detection'
import { employees } from '@muster/contract/records/employee'
import { findings } from '@muster/contract/records/finding'
import { beforeAll, describe, expect, test } from 'vitest'
import { auditTrail } from '../../../../test/support/audit.ts'
import { type SignedIn, signedIn } from '../../../../test/support/console-browser.ts'
import { aDetection, aFinding, anEmployee, put, unknownId } from '../../../../test/support/fixtures.ts'
import { useHarness } from '../../../../test/support/harness.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { unixSeconds } from '../../kernel/lib/clock.ts'
import { groupMarkedDetections } from './incidents-job.ts'

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    let ada: SignedIn
    let reader: SignedIn
    let stranger: SignedIn

    beforeAll(async () => {
      const org = await h.addOrganization('default')
      ada = await signedIn(h, org, 'FULL_ACCESS')
      reader = await signedIn(h, org, 'READ_ONLY')
      stranger = await signedIn(h, await h.addOrganization('other'), 'OWNER')
    })

    let campaigns = 0
    /** Three people who came to one phishing site, the first of them twice. */
    const campaign = async (members: Partial<Detection> = {}) => {
      campaigns += 1
      const site = `phish-${campaigns}.example`
      const people = ['Cleo', 'Dora', 'Emil'].map((firstName) =>
        anEmployee({
          id: `${store} ${site} ${firstName}`,
          firstName,
          lastName: 'Berg',
          email: `${firstName}@${site}`,
        }),
      )
      await put(h, ada.org, employees, people)
      const at = unixSeconds(h.clock) - 3600
      const all = [...people, people[0]].map((person, number) =>
        aDetection({
          employeeId: person?.id ?? '',
          detectionType: 'PHISHING',
          severity: number === 1 ? 'CRITICAL' : 'HIGH',
          archived: false,
          appId: null,
          url: `https://login.${site}/${number}`,
          creationTimestamp: at + number,
          lastActivityTimestamp: at + number,
          ...members,
        }),
      )
      await put(h, ada.org, detections, all)
      await groupMarkedDetections(h.db)
      return { site, people, all, at }
    }
    const list = async (query: string, by = ada): Promise<ListedIncident[]> => {
      const { status, body } = await by.call('GET', `lists/incidents?${query}`)
      expect(status).toBe(200)
      return body.records
    }
    const incidentOf = async (site: string): Promise<ListedIncident> => {
      const [found] = await list(`site=${site}`)
      if (!found) throw new Error('no incident')
      return found
    }
    const read = async (id: string): Promise<IncidentDetail> =>
      (await ada.call('GET', `incidents/${id}`)).body
    const change = (id: string, body: object, by = ada) => by.call('POST', `incidents/${id}/detections`, body)

    test('the list shows an incident with its title, figures and assignee, and filters by them', async () => {
      const { site, people } = await campaign()
      const incident = await incidentOf(site)
      expect(incident).toMatchObject({
        kind: 'MANY_PEOPLE',
        status: 'OPEN',
        severity: 'CRITICAL',
        title: `Phishing on ${site}: 3 people`,
        people: 3,
        detections: 4,
        openDetections: 4,
        employeeId: null,
        assignees: 0,
        assigneeName: null,
      })
      const found = async (query: string) => (await list(`site=${site}&${query}`)).length
      expect(await found('detectionType=PHISHING&status=OPEN&kind=MANY_PEOPLE&peopleAtLeast=3')).toBe(1)
      expect(await found('peopleAtLeast=4')).toBe(0)
      expect(await found('assignee=NOBODY')).toBe(1)
      expect(await found('assignee=ME')).toBe(0)
      expect(await found(`involvedId=${encodeURIComponent(people[2]?.id ?? '')}`)).toBe(1)
      expect(await found(`involvedId=${unknownId()}`)).toBe(0)
      expect(await list(`site=${site}`, stranger)).toEqual([])
    })

    test('the list of detections has exactly those of an incident', async () => {
      const { site, all } = await campaign()
      await campaign()
      const { id } = await incidentOf(site)
      const { body } = await ada.call('GET', `lists/detections?incidentId=${id}`)
      expect(body.records.map((one: Detection) => one.id).toSorted()).toEqual(
        all.map((one) => one.id).toSorted(),
      )
      const counted = await ada.call('GET', `lists/detections/count?incidentId=${id}&archived=false`)
      expect(counted.body).toEqual({ count: 4, more: false })
    })

    test('an incident of one person is named by them', async () => {
      const person = anEmployee({ firstName: 'Finn', lastName: 'Moss' })
      await put(h, ada.org, employees, [person])
      const url = 'https://alone.example/'
      const at = unixSeconds(h.clock) - 7200
      const same = { employeeId: person.id, url, creationTimestamp: at, lastActivityTimestamp: at }
      await put(h, ada.org, detections, [
        aDetection({ ...same, detectionType: 'PHISHING' }),
        aDetection({ ...same, detectionType: 'STOLEN_CREDENTIALS' }),
      ])
      await groupMarkedDetections(h.db)
      expect(await incidentOf('alone.example')).toMatchObject({
        kind: 'ONE_PERSON',
        title: 'Phishing, stolen password used on alone.example: Finn Moss',
        employeeId: person.id,
        detections: 2,
      })
    })

    test('the ID of each detection finds the incident', async () => {
      const { site, all } = await campaign()
      const { id } = await incidentOf(site)
      for (const one of all) expect((await read(one.id)).incident.id).toBe(id)
      expect((await ada.call('GET', `incidents/${unknownId()}`)).status).toBe(404)
      expect((await stranger.call('GET', `incidents/${id}`)).status).toBe(404)
    })

    test('all detections are assigned, commented, classified and archived at once, and the timeline tells it', async () => {
      const { site, all } = await campaign()
      const { id } = await incidentOf(site)
      const assigneeId = ada.id
      h.clock.advanceMs(1000)
      const done = await change(id, {
        assigneeId,
        note: ' Called all of them. ',
        classification: 'TRUE_POSITIVE',
      })
      expect(done.body).toEqual({ found: 4, changed: 4, cursor: null })
      const open = await incidentOf(site)
      expect(open).toMatchObject({ status: 'OPEN', assignees: 1, assigneeId })
      expect(await list(`site=${site}&assignee=ME`)).toHaveLength(1)
      expect((await change(id, { archived: true })).body.changed).toBe(4)
      expect((await change(id, { archived: true })).body.changed).toBe(0)
      await groupMarkedDetections(h.db)
      expect(await incidentOf(site)).toMatchObject({ status: 'CLOSED', openDetections: 0, detections: 4 })
      const { entries, people } = await read(id)
      expect(people.map(({ name, detections: count }) => [name, count])).toEqual([
        ['Cleo Berg', 2],
        ['Dora Berg', 1],
        ['Emil Berg', 1],
      ])
      expect(entries.map(({ kind, text, detections: count, state }) => [kind, text, count, state])).toEqual([
        ['ASSIGNEE', null, 4, null],
        ['NOTE', 'Called all of them.', 4, null],
        ...all.map(() => ['DETECTION', null, 1, 'ARCHIVED']),
      ])
      const { body } = await h.call(await h.addKey(ada.org), 'GET', `/v1/detections/${all[0]?.id}`)
      expect(body).toMatchObject({ archived: true, classification: 'TRUE_POSITIVE' })
      const acts = (await auditTrail(h.db, ada.org)).map(({ object }) => object)
      expect(acts.filter((object) => object === 'DETECTION_UPDATED').length).toBeGreaterThanOrEqual(8)
    })

    test('the number of a person counts all detections, also those that the timeline does not show', async () => {
      const person = anEmployee({ id: `${store} many`, firstName: 'Fay', lastName: 'Berg' })
      await put(h, ada.org, employees, [person])
      const at = unixSeconds(h.clock) - 3600
      const many = Array.from({ length: 205 }, (_, number) =>
        aDetection({
          employeeId: person.id,
          detectionType: 'PHISHING',
          url: `https://many.example/${number}`,
          creationTimestamp: at + number,
          lastActivityTimestamp: at + number,
        }),
      )
      await put(h, ada.org, detections, many)
      await groupMarkedDetections(h.db)
      const { id } = await incidentOf('many.example')
      const { people, shownDetections } = await read(id)
      expect(shownDetections).toBe(200)
      expect(people).toEqual([{ id: person.id, name: 'Fay Berg', detections: 205 }])
    })

    test('the timeline has the findings of the people in the apps of their detections', async () => {
      const appId = unknownId()
      const { site, people, at } = await campaign({ appId })
      const finding = (members: object) =>
        aFinding({ employeeId: people[0]?.id ?? '', appId, state: 'OPEN', creationTimestamp: at, ...members })
      const shown = finding({ type: 'LEAKED_PASSWORD' })
      const others = [
        finding({ appId: unknownId() }),
        finding({ employeeId: unknownId() }),
        finding({ state: 'RESOLVED', lastUpdatedTimestamp: at - 10 }),
      ]
      await put(h, ada.org, findings, [shown, ...others])
      const { entries } = await read((await incidentOf(site)).id)
      expect(entries.filter(({ kind }) => kind === 'FINDING')).toMatchObject([
        { id: shown.id, type: 'LEAKED_PASSWORD', employeeName: 'Cleo Berg', state: 'OPEN' },
      ])
    })

    test('the export names the incident in words', async () => {
      const { site } = await campaign()
      const { text } = await ada.call('GET', `lists/incidents/export?site=${site}&column=title&column=people`)
      expect(text).toContain(`Phishing on ${site}: 3 people,3`)
    })

    test('a change needs full access, something to change, and an administrator', async () => {
      const { site } = await campaign()
      const { id } = await incidentOf(site)
      expect((await change(id, { archived: true }, reader)).status).toBe(403)
      expect((await change(id, {})).status).toBe(400)
      expect((await change(id, { cursor: 'bnVsbA', archived: true })).status).toBe(400)
      expect((await change(id, { note: '  ' })).status).toBe(400)
      const { status, body } = await change(id, { assigneeId: unknownId() })
      expect(status).toBe(400)
      expect(JSON.stringify(body)).toContain('must be the ID of an administrator, or null')
      expect((await change(unknownId(), { archived: true })).status).toBe(404)
    })
  })
}
