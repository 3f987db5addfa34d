import { createContext, useContext } from 'react'

/** Whether something is shown in a row of a list, which takes the focus as a whole. */
export const InGrid = createContext(false)

/** The `tabIndex` of a link: none of its own, but out of the order in a row of a list. */
export const useLinkTabIndex = (): -1 | undefined => (useContext(InGrid) ? -1 : undefined)
