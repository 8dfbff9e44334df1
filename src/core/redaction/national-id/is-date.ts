const LONGEST = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const

/** Whether there is such a day in some year; months count from 1. */
export function isDate(month: number, day: number): boolean {
  return day >= 1 && day <= (LONGEST[month - 1] ?? 0)
}
