import type { OperationId } from '@muster/contract/api/api'
import { ApiError, invalidRequest } from '@muster/contract/api/errors'
import type { QueryParameter } from '@muster/contract/api/filter-schema'
import type { Finding } from '@muster/contract/records/finding'
import { findingWords } from '@muster/contract/records/finding-words'
import { riskRules } from '@muster/contract/risk/risk-rules'
import { unixSeconds } from '../../kernel/lib/clock.ts'
import { readIncident } from '../incidents/read-incident.ts'
import { priorityMembers } from '../risk/risk-members.service.ts'
import { readReport } from '../trends/report.service.ts'
import { parseReportPeriod } from '../trends/report-period.rules.ts'
import type { Tool, ToolCaller, ToolWorld } from './tool.ts'
import { argumentsSchema, readArguments } from './tool-arguments.ts'

const idParameter: QueryParameter = {
  name: 'id',
  description: 'The id member of a record.',
  schema: { type: 'string', minLength: 1, maxLength: 64 },
  maxValues: 1,
  example: '01937b5e-6c3a-7d21-9f4e-2a8c5b7d1e90',
}

/** Operation that reads one record, by kind. */
const getOperations = {
  employee: 'getEmployee',
  app: 'getApp',
  unrecognized_app: 'getAppOther',
  account: 'getAccount',
  unrecognized_account: 'getAccountOther',
  finding: 'getFinding',
  detection: 'getDetection',
  browser: 'getBrowser',
} as const satisfies Record<string, OperationId>
type RecordKind = keyof typeof getOperations

const kindParameter: QueryParameter = {
  name: 'kind',
  description: 'Kind of the record.',
  schema: { type: 'string', enum: Object.keys(getOperations) },
  maxValues: 1,
  example: 'employee',
}

const periodParameter: QueryParameter = {
  name: 'period',
  description: 'A month (2026-10) or a quarter (2026-Q3).',
  schema: { type: 'string', minLength: 1, maxLength: 7 },
  maxValues: 1,
  example: '2026-10',
}

async function readRecord(
  { services }: ToolWorld,
  { principal }: ToolCaller,
  kind: RecordKind,
  id: string,
): Promise<unknown> {
  return JSON.parse(String(await services.get(getOperations[kind], principal, id)))
}

/** Tools that read single records and figures. */
export const readTools: readonly Tool[] = [
  {
    name: 'get_record',
    title: 'Get one record',
    description: 'Get one record with all its members, by the ID that a search or another record shows.',
    inputSchema: argumentsSchema([kindParameter, idParameter], ['kind', 'id']),
    run: (world, caller, given) => {
      const { kind, id } = readArguments(given, [kindParameter, idParameter], ['kind', 'id'])
      return readRecord(world, caller, kind as RecordKind, String(id))
    },
  },
  {
    name: 'explain_finding',
    title: 'Explain a finding',
    description:
      'Explain one finding: its meaning, its priority with the reasons, the recommended action, and the employee, the account and the app that it is about.',
    inputSchema: argumentsSchema([idParameter], ['id']),
    run: async (world, caller, given) => {
      const { id } = readArguments(given, [idParameter], ['id'])
      return explainFinding(world, caller, String(id))
    },
  },
  {
    name: 'get_incident',
    title: 'Get an incident with its timeline',
    description:
      'Get one incident by its ID or the ID of one of its detections: the employees it concerns, and its timeline with detections, related findings, assignments and notes, newest first.',
    inputSchema: argumentsSchema([idParameter], ['id']),
    run: (world, { principal }, given) => {
      const { id } = readArguments(given, [idParameter], ['id'])
      return readIncident(world.db.slow, principal.org, String(id))
    },
  },
  {
    name: 'current_figures',
    title: 'Current figures',
    description:
      'Get the figures of the overview: totals of the inventory, open findings by type, open detections by severity, second factors and coverage. Lists of numbers are by week, for the weeks that weekTimestamps names. At most a minute old.',
    inputSchema: argumentsSchema([]),
    run: (world, { principal }, given) => {
      readArguments(given, [])
      return world.overviewOf(principal.org)
    },
  },
  {
    name: 'report_figures',
    title: 'Figures of a month or a quarter',
    description:
      'Get the figures of the report about a month or a quarter, with those of the period before: findings opened and resolved, detections, new apps and people.',
    inputSchema: argumentsSchema([periodParameter], ['period']),
    run: (world, { principal }, given) => {
      const { period } = readArguments(given, [periodParameter], ['period'])
      const nowSeconds = unixSeconds(world.clock)
      const parsed = parseReportPeriod(String(period))
      if (!parsed) throw periodMistake('must be a month such as 2026-10 or a quarter such as 2026-Q3')
      if (parsed.from * 86_400 > nowSeconds) throw periodMistake('has not begun yet; choose an earlier one')
      return readReport(world.db.slow, principal.org, parsed, nowSeconds)
    },
  },
]

const periodMistake = (message: string) => invalidRequest([{ in: 'body', name: 'period', message }])

/** Returns null in place of a record that was deleted meanwhile. */
function nullIfMissing(error: unknown): null {
  if (error instanceof ApiError && error.code === 'not_found') return null
  throw error
}

async function explainFinding(world: ToolWorld, caller: ToolCaller, id: string): Promise<unknown> {
  const finding = (await readRecord(world, caller, 'finding', id)) as Finding
  const { label, meaning, remedy } = findingWords[finding.type]
  const concerned = async (kind: RecordKind, of: string | null) =>
    of === null ? null : await readRecord(world, caller, kind, of).catch(nullIfMissing)
  const { org } = caller.principal
  const { priority, priorityReasons } = (await priorityMembers(world.db, { org }, [finding]))(finding)
  return {
    finding,
    name: label,
    meaning,
    recommendedAction: finding.state === 'OPEN' ? remedy : 'None: it is resolved.',
    priority,
    priorityReasons: priorityReasons.map((rule) => riskRules[rule].reason),
    employee: await concerned('employee', finding.employeeId),
    account: await concerned('account', finding.accountId),
    app: await concerned('app', finding.appId),
  }
}
