import type { SettingInForce } from '@muster/contract/console/console-settings'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/page/card.tsx'
import { settingGroups } from './setting-groups.ts'

/** Read-only table of the effective server settings. */
export function SettingTable({ settings }: { settings: readonly SettingInForce[] }) {
  return (
    <Card title="Server settings">
      <p className="soft">
        Configured where the server runs: as environment variables, in <code>muster.toml</code> in the data
        folder, or as flags of <code>muster serve</code>; those take precedence over the pages above. Restart
        to apply. Secrets are not shown.
      </p>
      {settings.length === 0 && <p className="soft">This server does not report its settings.</p>}
      {settingGroups(settings).map((group) => (
        <div key={group.title} className="stack tight">
          <h3>{group.title}</h3>
          <ul className="lines">
            {group.settings.map((setting) => (
              <li key={setting.name} className="setting">
                <span className="setting-name">
                  <code>{setting.environment}</code>
                  <br />
                  <span className="soft small">{setting.help}</span>
                </span>
                <span className="setting-value">
                  {setting.value === null ? (
                    <span className="soft">not set</span>
                  ) : (
                    <code>{setting.value}</code>
                  )}
                </span>
                <span className="setting-source">
                  <Badge tone={setting.source === 'default' ? '' : 'accent'}>{setting.source}</Badge>
                </span>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </Card>
  )
}
