// The times that are offered for a snooze, in the zone of the person.

/** The hours of the day at which people begin and end to work. */
const [MORNING, EVENING] = [9, 18];

export interface SnoozeTime {
  name: 'hour' | 'evening' | 'tomorrow' | 'monday';
  /** In seconds since 1970. */
  until: number;
}

/** An hour of a day that is so many days away. */
function at(now: Date, days: number, hour: number): number {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hour).getTime() / 1000;
}

/** The times that make sense now: no evening that has begun, and no Monday that is tomorrow. */
export function choices(now: Date): SnoozeTime[] {
  const seconds = Math.floor(now.getTime() / 1000);
  const inAnHour = seconds + 3600;
  const evening = at(now, 0, EVENING);
  const days = ((7 - now.getDay()) % 7) + 1;
  return [
    { name: 'hour', until: inAnHour },
    ...(evening > inAnHour ? [{ name: 'evening', until: evening } as const] : []),
    { name: 'tomorrow', until: at(now, 1, MORNING) },
    ...(days > 1 ? [{ name: 'monday', until: at(now, days, MORNING) } as const] : []),
  ];
}

/** A time as an input of a date and a time has it. */
export function inputValue(time: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const date = [String(time.getFullYear()), two(time.getMonth() + 1), two(time.getDate())].join('-');
  return `${date}T${two(time.getHours())}:${two(time.getMinutes())}`;
}
