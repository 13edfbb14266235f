/** Who wants which topic of the bus, and how often; the server sends only what somebody wants. */

import type { Connection } from "./net";
import type { TopicHeader } from "./protocol";

export interface TopicMessage extends TopicHeader {
  /** The ROS 2 message as on the bus; decode it with cdr.ts. */
  cdr: Uint8Array;
}

interface Wish {
  rate: number;
  listener: (message: TopicMessage) => void;
}

export class Topics {
  private readonly wishes = new Map<string, Set<Wish>>();
  private tables = 0;
  private pending = false;

  constructor(private readonly connection: Connection) {}

  /** Get messages of a topic at most `rate` times a second; returns how to stop that. */
  want(topic: string, rate: number, listener: (message: TopicMessage) => void): () => void {
    const wish = { rate, listener };
    let set = this.wishes.get(topic);
    if (!set) this.wishes.set(topic, (set = new Set()));
    set.add(wish);
    this.tell();
    return () => {
      set.delete(wish);
      if (!set.size && this.wishes.get(topic) === set) this.wishes.delete(topic);
      this.tell();
    };
  }

  /** Get the table of topics once a second (event `topics`); returns how to stop that. */
  wantTable(): () => void {
    this.tables += 1;
    this.tell();
    let wanted = true;
    return () => {
      if (wanted) this.tables -= 1;
      wanted = false;
      this.tell();
    };
  }

  /** Hand a message to those who want it. */
  deliver(message: TopicMessage): void {
    for (const wish of this.wishes.get(message.topic) ?? []) wish.listener(message);
  }

  /** Say all wishes again, as after a new connection. */
  tell(): void {
    if (this.pending) return;
    this.pending = true;
    queueMicrotask(() => {
      this.pending = false;
      const topics = [...this.wishes].map(([topic, set]) => ({
        topic,
        rate: Math.max(...[...set].map((wish) => wish.rate)),
      }));
      this.connection.tell({ do: "want", topics, table: this.tables > 0 });
    });
  }
}
