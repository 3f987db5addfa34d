import { Check, ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import {
  Button as AriaButton,
  Header,
  Menu,
  MenuItem,
  MenuSection,
  MenuTrigger,
  Popover,
} from 'react-aria-components'

/** An item of an action menu. */
export interface MenuAction {
  readonly id: string
  readonly text: string
  readonly icon?: ReactNode
  readonly run: () => void
}

/** A button that opens a menu of actions. */
export function ActionMenu({
  label,
  children,
  className = 'button',
  actions,
}: {
  /** Accessible name of the button, if its content is not text. */
  label?: string
  children: ReactNode
  className?: string
  actions: readonly MenuAction[]
}) {
  return (
    <MenuTrigger>
      <AriaButton className={className} {...(label === undefined ? {} : { 'aria-label': label })}>
        {children}
      </AriaButton>
      <Popover className="menu-popover" placement="bottom start">
        <Menu onAction={(key) => actions.find(({ id }) => id === key)?.run()}>
          {actions.map(({ id, text, icon }) => (
            <MenuItem key={id} id={id} className="menu-item" textValue={text}>
              {icon}
              {text}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}

/** A button that opens a menu of values. Several can be selected unless `single` is set. */
export function ChoiceMenu({
  heading,
  children,
  choices,
  chosen,
  single = false,
  lit = chosen.length > 0,
  label,
  onChange,
}: {
  heading: string
  /** Accessible name of the button, if it shows only an icon. */
  label?: string
  children: ReactNode
  choices: readonly (readonly [value: string, text: string])[]
  chosen: readonly string[]
  single?: boolean
  /** Highlights the button. */
  lit?: boolean
  onChange: (values: string[]) => void
}) {
  return (
    <MenuTrigger>
      <AriaButton
        className={`button${lit ? ' on' : ''}${label === undefined ? '' : ' icon'}`}
        {...(label === undefined ? {} : { 'aria-label': label })}
      >
        {children}
        {label === undefined && <ChevronDown className="open-mark" />}
      </AriaButton>
      <Popover className="menu-popover" placement="bottom start">
        <Menu
          selectionMode={single ? 'single' : 'multiple'}
          selectedKeys={chosen}
          onSelectionChange={(keys) => {
            onChange(keys === 'all' ? choices.map(([value]) => value) : [...keys].map(String))
          }}
        >
          <MenuSection>
            <Header className="menu-heading">{heading}</Header>
            {choices.map(([value, text]) => (
              <MenuItem key={value} id={value} className="menu-item" textValue={text}>
                {({ isSelected }) => (
                  <>
                    <span className="tick">{isSelected && <Check size={16} />}</span>
                    {text}
                  </>
                )}
              </MenuItem>
            ))}
          </MenuSection>
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}
