/** What tabs hold: a panel is told when it is seen, and wants nothing from the server while it is not. */

export interface Panel {
  readonly title: string;
  readonly element: HTMLElement;
  show(): void;
  hide(): void;
}
