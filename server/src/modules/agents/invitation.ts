import { type Employee, employees } from '@muster/contract/employee'
import { type Clock, unixSeconds } from '../../kernel/lib/clock.ts'
import { hashToken } from '../../kernel/lib/secrets/agent-token.ts'
import { readControls } from '../../kernel/organizations/organization-controls.ts'
import { givenOrganizationName } from '../../kernel/organizations/organizations.ts'
import { readRecordText } from '../../kernel/store/records.ts'
import type { Db } from '../../kernel/store/sql.ts'
import type { Invitation } from './agent-enroll-page.ts'
import { isDormant, linkStanding, linkTexts } from './enroll.rules.ts'
import { findEnrollmentLink } from './enrollment-links.service.ts'

const notLicensed =
  'This enrollment link cannot be used now: the employee it was made for has no license at the moment. Ask whoever sent it.'

/** Says what the page of an enrollment link tells; nothing is changed by that. */
export function invitationService({ db, clock }: { db: Db; clock: Clock }) {
  return async (token: string): Promise<Invitation> => {
    const link = await findEnrollmentLink(db, hashToken(token))
    const standing = linkStanding(link, unixSeconds(clock))
    if (!link || standing !== 'usable') {
      const why = standing === 'usable' ? 'unknown' : standing
      return { usable: false, status: why === 'unknown' ? 404 : 410, text: linkTexts[why] }
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
