import { type Employee, employees } from '@muster/contract/records/employee'
import { type Clock, unixSeconds } from '../../kernel/lib/clock.ts'
import { hashToken } from '../../kernel/lib/secrets/agent-token.ts'
import { readControls } from '../../kernel/organizations/organization-controls.ts'
import { givenOrganizationName } from '../../kernel/organizations/organizations.ts'
import { readRecordText } from '../../kernel/store/records.ts'
import type { Db } from '../../kernel/store/sql.ts'
import type { Invitation } from './agent-enroll-page.ts'
import { isDormant, linkMessages, linkStatus } from './enroll.rules.ts'
import { findEnrollmentLink } from './enrollment-links.service.ts'

const notLicensed =
  'This enrollment link cannot be used because the employee has no license. Ask the person who sent it.'

/** Returns the content of the page of an enrollment link. Changes nothing. */
export function invitationService({ db, clock }: { db: Db; clock: Clock }) {
  return async (token: string): Promise<Invitation> => {
    const link = await findEnrollmentLink(db, hashToken(token))
    const linkState = linkStatus(link, unixSeconds(clock))
    if (!link || linkState !== 'usable') {
      const reason = linkState === 'usable' ? 'unknown' : linkState
      return { usable: false, status: reason === 'unknown' ? 404 : 410, text: linkMessages[reason] }
    }
    const text = await readRecordText(db, employees, link.org, link.employeeId)
    const employee = text === undefined ? undefined : (JSON.parse(text) as Employee)
    if (!employee || isDormant(employee)) return { usable: false, status: 410, text: notLicensed }
    const name = [employee.firstName, employee.lastName].filter(Boolean).join(' ')
    return {
      usable: true,
      email: employee.email,
      name: name === '' ? null : name,
      organization: await givenOrganizationName(db, link.org),
      expirationTimestamp: link.expirationTimestamp,
      contact: (await readControls(db, link.org)).contact,
    }
  }
}
