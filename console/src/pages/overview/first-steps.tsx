import { Link } from '@tanstack/react-router'
import { Card } from '../../ui/page/card.tsx'

/** What to do where there is nothing to see yet. */
export function FirstSteps() {
  return (
    <Card title="Nothing has been seen yet">
      <ol className="lines">
        <li>
          <span className="grow">Add the people whose browsers are to be looked after.</span>
          <Link to="/employees">Employees</Link>
        </li>
        <li>
          <span className="grow">
            Give each an enrollment link from their page; it puts the agent into their browser.
          </span>
          <Link to="/employees">Employees</Link>
        </li>
        <li>
          <span className="grow">Decide what browsers do about threats: watch, warn or block.</span>
          <Link to="/controls/protections">Protections</Link>
        </li>
        <li>
          <span className="grow">Make an API key for the programs that read the inventory.</span>
          <Link to="/keys">API keys</Link>
        </li>
      </ol>
    </Card>
  )
}
