import { saveFile } from '../../list/save-file.ts'
import { ActionMenu } from '../../ui/dialog/menu.tsx'
import { Card } from '../../ui/page/card.tsx'

/** Downloads all data about an employee, for requests of access. */
export function PersonalDataCard({ id }: { id: string }) {
  const base = `/console/api/employees/${encodeURIComponent(id)}`
  const save = (format: 'json' | 'html') => () =>
    void saveFile(`${base}/data?format=${format}`, `${base}/data-scope`)
  return (
    <Card title="Personal data">
      <p className="soft">
        Everything that Muster stores about this person: records, reports of browsers, events and audit trail.
      </p>
      <div className="row">
        <ActionMenu
          actions={[
            { id: 'html', text: 'HTML, to read and print', run: save('html') },
            { id: 'json', text: 'JSON, for programs', run: save('json') },
          ]}
        >
          Download all data
        </ActionMenu>
      </div>
    </Card>
  )
}
