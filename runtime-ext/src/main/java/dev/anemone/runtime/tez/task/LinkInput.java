// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.task;

import dev.anemone.runtime.tez.job.DrawnRanges;
import dev.anemone.runtime.tez.job.GatheredAnnouncements;
import dev.anemone.runtime.tez.job.PlanCodec;
import dev.anemone.runtime.transfer.announcement.BlockAnnouncement;
import dev.anemone.runtime.transfer.announcement.InputEvent;
import dev.anemone.runtime.transfer.announcement.Loss;
import dev.anemone.runtime.transfer.announcement.Source;
import dev.anemone.runtime.transfer.announcement.SourceFeed;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.tez.dag.api.UserPayload;
import org.apache.tez.runtime.api.AbstractLogicalInput;
import org.apache.tez.runtime.api.Event;
import org.apache.tez.runtime.api.InputContext;
import org.apache.tez.runtime.api.Reader;
import org.apache.tez.runtime.api.events.DataMovementEvent;
import org.apache.tez.runtime.api.events.InputFailedEvent;
import org.apache.tez.runtime.api.events.InputReadErrorEvent;

/**
 * The end of a link at its consumer, as Tez sees it: hands what producers announce to the feed of
 * the task, and complaints about lost blocks to Tez. Thread-safe.
 */
public final class LinkInput extends AbstractLogicalInput {

  private final List<InputEvent> early = new ArrayList<>();

  /**
   * Producer tasks that have announced to this task alone, which is newer than what is gathered.
   */
  private final BitSet announcedAlone = new BitSet();

  private final Set<InputEvent.Withdrawn> withdrawn = new HashSet<>();
  private SourceFeed feed;

  /** Called by Tez. */
  public LinkInput(InputContext context, int physicalInputs) {
    super(context, physicalInputs);
  }

  @Override
  public List<Event> initialize() {
    // Tez hands out shares of the heap to those who ask; the data plane has its own memory.
    getContext().requestInitialMemory(0, null);
    return List.of();
  }

  /** Where the ranges are that were drawn for the stage's tasks, if they were. */
  Optional<DrawnRanges> drawnRanges() {
    UserPayload payload = getContext().getUserPayload();
    return payload == null || !payload.hasPayload()
        ? Optional.empty()
        : Optional.of(PlanCodec.read(payload.getPayload(), DrawnRanges.class));
  }

  /** A name that no other input of any attempt in this session has. */
  String uniqueName() {
    return getContext().getUniqueIdentifier();
  }

  /** From now on all news goes to {@code newFeed}, what came before included. */
  synchronized void connect(SourceFeed newFeed) {
    feed = newFeed;
    early.forEach(feed::add);
    early.clear();
  }

  /**
   * Tells Tez that what an attempt wrote cannot be had. What is gone is made again at once; what
   * cannot be reached when enough consumers say so, or one says so for long enough, by Tez's
   * settings.
   */
  void reportLost(int index, int version, Loss loss, String reason) {
    getContext()
        .sendEvents(
            List.of(
                InputReadErrorEvent.create(
                    reason,
                    index,
                    version,
                    false,
                    loss == Loss.GONE,
                    getContext().getExecutionContext().getHostName())));
  }

  @Override
  public synchronized void handleEvents(List<Event> events) {
    events.forEach(event -> pass(inputEvent(event)));
  }

  /**
   * Takes what all producer tasks have announced before this task was asked for. What was withdrawn
   * since, or has been announced anew, is left out.
   */
  synchronized void announced(List<GatheredAnnouncements.Entry> gathered) {
    for (GatheredAnnouncements.Entry each : gathered) {
      Source source = source(each.task());
      if (!announcedAlone.get(each.task())
          && !withdrawn.contains(new InputEvent.Withdrawn(source, each.attempt()))) {
        pass(new InputEvent.Announced(source, each.attempt(), each.read()));
      }
    }
  }

  private void pass(InputEvent event) {
    if (feed == null) {
      early.add(event);
    } else {
      feed.add(event);
    }
  }

  private Source source(int index) {
    return new Source(getContext().getSourceVertexName(), index);
  }

  private InputEvent inputEvent(Event event) {
    if (event instanceof DataMovementEvent data) {
      announcedAlone.set(data.getTargetIndex());
      return new InputEvent.Announced(
          source(data.getTargetIndex()),
          data.getVersion(),
          BlockAnnouncement.of(data.getUserPayload()));
    }
    if (event instanceof InputFailedEvent failed) {
      InputEvent.Withdrawn news =
          new InputEvent.Withdrawn(source(failed.getTargetIndex()), failed.getVersion());
      withdrawn.add(news);
      return news;
    }
    throw new IllegalArgumentException("unexpected event " + event);
  }

  @Override
  public void start() {
    // The processor reads when it is ready to.
  }

  @Override
  public Reader getReader() {
    throw new UnsupportedOperationException("the processor reads from the data plane itself");
  }

  @Override
  public List<Event> close() {
    return List.of();
  }
}
