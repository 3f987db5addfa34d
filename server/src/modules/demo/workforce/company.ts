import { readDemoJson } from './demo-data.ts'

/** Simulated company, and the smaller one that it acquired. */
export const companyDomain = 'northgate.example'
export const acquiredDomain = 'fernhill.example'
/** Domain of private email addresses. */
export const privateMailDomain = 'letterbox.example'

export const daySeconds = 86_400

export const departmentNames = [
  'Engineering',
  'Sales',
  'Support',
  'Marketing',
  'Operations',
  'Finance',
  'People',
  'Legal',
] as const
export type Department = (typeof departmentNames)[number]

interface DepartmentData {
  readonly name: Department
  /** Share of the employees in percent. */
  readonly weight: number
  readonly groups: readonly string[]
}

/** Office of the company. */
export interface Office {
  readonly name: string
  readonly weight: number
  /** Offset of the local time from UTC, in hours. */
  readonly utcOffset: number
  /** Public IP address, from the ranges for documentation (RFC 5737). Empty for remote work. */
  readonly address: string
}

interface CompanyData {
  readonly departments: readonly DepartmentData[]
  /** People who work remotely have individual addresses. */
  readonly offices: readonly Office[]
  /** Apps with accounts that a team shares under one password. */
  readonly sharedByTeam: Readonly<Partial<Record<Department, readonly string[]>>>
  /** Invented hosts of sites outside of the catalog. */
  readonly otherSites: readonly string[]
  /** Words of the hosts of further sites, which few people use. */
  readonly rareSites: { readonly first: readonly string[]; readonly second: readonly string[] }
}

export const { departments, offices, sharedByTeam, otherSites, rareSites } =
  readDemoJson<CompanyData>('company.json')
