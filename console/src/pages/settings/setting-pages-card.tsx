import { Link } from '@tanstack/react-router'
import { Card } from '../../ui/page/card.tsx'
import { settingPageTexts } from './setting-page-texts.ts'

/** Links to the pages of settings that owners change. */
export function SettingPagesCard() {
  return (
    <Card title="Changed here" note="These settings are in effect at once, without a restart.">
      <ul className="lines">
        {settingPageTexts.map(({ id, title, about }) => (
          <li key={id} className="setting">
            <span className="setting-name">
              <Link to="/settings/$id" params={{ id }}>
                {title}
              </Link>
              <br />
              <span className="soft small">{about}</span>
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
