import { Dialog } from '../ui/dialog/dialog.tsx'
import { currentBindings } from '../ui/keys/key-bindings.ts'

/** Lists the keyboard shortcuts of the open page. */
export function KeyHelp({ onClose }: { onClose: () => void }) {
  const groups = Map.groupBy(currentBindings(), ({ group }) => group)
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose} wide>
      <div className="key-columns">
        <section className="stack tight">
          <h3>Everywhere</h3>
          <Line keys="Ctrl K" title="Search or jump to…" />
          {groups.get('Everywhere')?.map(({ keys, title }) => (
            <Line key={keys} keys={keys} title={title} />
          ))}
        </section>
        {[...groups]
          .filter(([group]) => group !== 'Everywhere')
          .reverse()
          .map(([group, bindings]) => (
            <section key={group} className="stack tight">
              <h3>{group}</h3>
              {bindings.map(({ keys, title }) => (
                <Line key={keys} keys={keys} title={title} />
              ))}
            </section>
          ))}
      </div>
    </Dialog>
  )
}

function Line({ keys, title }: { keys: string; title: string }) {
  return (
    <p className="row">
      <span className="grow">{title}</span>
      {keys.split(' ').map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </p>
  )
}
