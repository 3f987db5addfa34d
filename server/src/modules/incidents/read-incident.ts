import { notFound } from '@muster/contract/api/errors'
import {
  type IncidentDetail,
  shownDetectionsMaximum,
  shownPeopleMaximum,
} from '@muster/contract/console/incidents/console-incidents'
import { type Incident, incidents } from '@muster/contract/console/incidents/incident'
import { detections } from '@muster/contract/records/detection'
import { findings } from '@muster/contract/records/finding'
import { findRecords } from '../../kernel/store/find-records.ts'
import { readRecordText } from '../../kernel/store/records.ts'
import type { Reader } from '../../kernel/store/sql.ts'
import { readEntriesOf } from '../work/work-lists.service.ts'
import { incidentMembers, namesOfPeople } from './incident-lists.service.ts'
import { countByPerson, latestMembers, readMembers } from './incident-members.store.ts'
import { findingsOfDetections, timelineOf } from './incident-timeline.rules.ts'

/** Returns the ID of an incident by its ID or the ID of one of its detections; undefined if there is none. */
export async function findIncidentId(db: Reader, org: number, id: string): Promise<string | undefined> {
  const [member] = await readMembers(db, org, [id])
  if (member) return member.incidentId
  return (await readRecordText(db, incidents, org, id)) === undefined ? undefined : id
}

/**
 * Reads an incident with its timeline.
 *
 * @throws ApiError not_found
 */
export async function readIncident(db: Reader, org: number, anyId: string): Promise<IncidentDetail> {
  const id = await findIncidentId(db, org, anyId)
  const text = id === undefined ? undefined : await readRecordText(db, incidents, org, id)
  if (id === undefined || text === undefined) throw notFound()
  const incident = JSON.parse(text) as Incident
  const members = await latestMembers(db, org, id, shownDetectionsMaximum)
  const ids = members.map(({ detectionId }) => detectionId)
  const shown = await findRecords(db, detections, org, 'id', ids)
  const people = await countByPerson(db, org, id, shownPeopleMaximum)
  const employeeIds = [...new Set(shown.map(({ employeeId }) => employeeId))]
  const names = await namesOfPeople(db, org, [
    ...new Set([...employeeIds, ...people.map(({ employeeId }) => employeeId)]),
  ])
  const apps = new Set(shown.flatMap(({ appId }) => appId ?? []))
  const related = apps.size === 0 ? [] : await findRecords(db, findings, org, 'employeeId', employeeIds)
  const added = await incidentMembers(db, { org }, [incident])
  const nameOf = (employeeId: string) => names.get(employeeId) ?? null
  return {
    incident: {
      ...incident,
      ...(added(incident) ?? { title: '', assignees: 0, assigneeId: null, assigneeName: null }),
    },
    people: people
      .map(({ employeeId, detections }) => ({
        id: employeeId,
        name: nameOf(employeeId) ?? employeeId,
        detections,
      }))
      .toSorted((one, other) => other.detections - one.detections || (one.name < other.name ? -1 : 1)),
    entries: timelineOf({
      detections: shown,
      findings: findingsOfDetections(shown, related),
      work: await readEntriesOf(db, org, ids),
      nameOf,
    }),
    shownDetections: shown.length,
  }
}
