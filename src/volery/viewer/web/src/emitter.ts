/** Events by name, with the type of what each carries. */

export class Emitter<Events> {
  private readonly listeners = new Map<keyof Events, Set<(value: never) => void>>();

  /** Call `listener` at each event of this name; returns how to stop that. */
  on<Name extends keyof Events>(name: Name, listener: (value: Events[Name]) => void): () => void {
    let set = this.listeners.get(name);
    if (!set) this.listeners.set(name, (set = new Set()));
    set.add(listener as (value: never) => void);
    return () => set.delete(listener as (value: never) => void);
  }

  /** Tell all listeners; an error of one is logged and does not keep it from the others. */
  emit<Name extends keyof Events>(name: Name, value: Events[Name]): void {
    for (const listener of this.listeners.get(name) ?? []) {
      try {
        (listener as (value: Events[Name]) => void)(value);
      } catch (error) {
        console.error(`listener of '${String(name)}':`, error);
      }
    }
  }
}
