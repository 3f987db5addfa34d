import { consoleLoginMethods } from '@muster/contract/console/login-methods'
import type { Report } from '@muster/contract/console/trends/console-trends'
import type { LevelName } from '@muster/contract/console/trends/daily-figures'
import {
  detectionLabels,
  type ReportFigure,
  reportDetections,
  reportFindings,
  reportShares,
} from '@muster/contract/console/trends/report-figures'
import { levelsOf } from '@muster/contract/console/trends/trend-links'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { FigureLink } from '../../list/figure-link.tsx'
import { ValueBadge } from '../../ui/badge.tsx'
import { Card } from '../../ui/page/card.tsx'
import { labelOf } from '../../ui/text/labels.ts'
import { utcDayText } from '../../ui/text/moment-text.ts'
import { FigureChange, FigureValue } from './figure-value.tsx'

function Table({
  label,
  columns,
  children,
}: {
  label: string
  columns: readonly string[]
  children: ReactNode
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    <section className="tools-table" aria-label={label} tabIndex={0}>
      <table className="figures">
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  )
}

/** Findings by type, most open ones first. */
export function FindingsTable({ report }: { report: Report }) {
  const rows = reportFindings(report).toSorted(
    (one, other) =>
      (other.open.value ?? 0) - (one.open.value ?? 0) || (other.opened.value ?? 0) - (one.opened.value ?? 0),
  )
  return (
    <Card title="Findings by type">
      <Table label="Findings by type" columns={['Type', 'Opened', 'Closed', 'Open at the end', 'Change']}>
        {rows.map(({ type, label, open, opened, closed }) => (
          <tr key={type}>
            <th scope="row">{label}</th>
            <td>
              <FigureValue figure={opened} />
            </td>
            <td>
              <FigureValue figure={closed} />
            </td>
            <td>
              <FigureValue figure={open} />
            </td>
            <td>
              <FigureChange figure={open} />
            </td>
          </tr>
        ))}
      </Table>
    </Card>
  )
}

/** Detections by type, and the most severe ones. */
export function DetectionTables({ report }: { report: Report }) {
  return (
    <>
      <Card title="Detections by type">
        <Table label="Detections by type" columns={['Type', 'Detections', 'Period before', 'Change']}>
          {reportDetections(report).map((figure) => (
            <tr key={figure.id}>
              <th scope="row">{figure.label}</th>
              <td>
                <FigureValue figure={figure} />
              </td>
              <td>{(figure.before ?? 0).toLocaleString('en-GB')}</td>
              <td>
                <FigureChange figure={figure} />
              </td>
            </tr>
          ))}
        </Table>
      </Card>
      {report.detections.length > 0 && (
        <Card title="Most severe detections">
          <Table
            label="Most severe detections"
            columns={['Detection', 'Site', 'Severity', 'Response', 'Day']}
          >
            {report.detections.map(({ id, detectionType, severity, response, site, creationTimestamp }) => (
              <tr key={id}>
                <th scope="row">
                  <Link to="/detections/$id" params={{ id }}>
                    {detectionLabels[detectionType]}
                  </Link>
                </th>
                <td className="site">{site ?? '–'}</td>
                <td>
                  <ValueBadge value={severity} />
                </td>
                <td>{labelOf(response)}</td>
                <td className="nowrap">{utcDayText(creationTimestamp)}</td>
              </tr>
            ))}
          </Table>
        </Card>
      )}
    </>
  )
}

/** Apps with the most open findings now. */
export function AppsTable({ report: { apps } }: { report: Report }) {
  if (apps.length === 0) return null
  return (
    <Card title="Apps with the most open findings now">
      <Table label="Apps with the most open findings now" columns={['App', 'Open findings', 'People']}>
        {apps.map(({ id, name, openFindings, people }) => (
          <tr key={id}>
            <th scope="row">
              <Link to="/apps/$id" params={{ id }}>
                <bdi>{name}</bdi>
              </Link>
            </th>
            <td>
              <FigureLink count={openFindings} list="findings" filters={{ appId: id, state: 'OPEN' }} />
            </td>
            <td>
              <FigureLink count={people} list="employees" filters={{ appId: id }} />
            </td>
          </tr>
        ))}
      </Table>
    </Card>
  )
}

/** Coverage and sign-in methods at the end of the period. */
export function CoverageTable({ report }: { report: Report }) {
  if (report.levels === null) return null
  const end = levelsOf(report.levels)
  const before = report.levelsBefore && levelsOf(report.levelsBefore)
  const level = (name: LevelName, label: string): ReportFigure => ({
    id: name,
    label,
    unit: 'COUNT',
    value: end[name] ?? null,
    before: before?.[name] ?? null,
  })
  const figures = [
    ...reportShares(report),
    level('licensed', 'Licensed employees'),
    level('accounts', 'Accounts'),
    ...consoleLoginMethods.map((method) => level(`signIn.${method}`, `Accounts by ${labelOf(method)}`)),
  ]
  return (
    <Card title="Coverage and sign-in methods">
      <Table label="Coverage and sign-in methods" columns={['Figure', 'At the end', 'Change']}>
        {figures.map((figure) => (
          <tr key={figure.id}>
            <th scope="row">{figure.label}</th>
            <td>
              <FigureValue figure={figure} />
            </td>
            <td>
              <FigureChange figure={figure} />
            </td>
          </tr>
        ))}
      </Table>
    </Card>
  )
}
