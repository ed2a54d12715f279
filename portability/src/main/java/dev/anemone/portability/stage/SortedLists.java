// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.stage;

import dev.anemone.portability.stage.StateParts.Part;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.OrderedListRange;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.StateGetResponse;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.StateKey.OrderedListUserState;
import org.apache.beam.vendor.grpc.v1p69p0.com.google.protobuf.ByteString;
import org.apache.beam.vendor.grpc.v1p69p0.com.google.protobuf.CodedInputStream;

/**
 * The lists of a user's state that are sorted by a number. An entry is coded as Beam's Fn API has
 * it: the number as a varint, the length of the element, the element; so the runner need not know
 * the element's coder. Entries of one number stay in the order in which they came. Not thread-safe.
 */
final class SortedLists {

  /** What an entry takes in the heap besides its part, when no other one has its number. */
  private static final int ENTRY_BYTES = 128;

  private static final NavigableMap<Long, List<Part>> EMPTY = Collections.emptyNavigableMap();

  private final StateParts parts;
  private final Map<OrderedListUserState, NavigableMap<Long, List<Part>>> lists = new HashMap<>();

  /** No list yet; the bytes of entries are in parts of others, who close them. */
  SortedLists(StateParts parts) {
    this.parts = parts;
  }

  /** Adds entries, one after another. */
  void append(OrderedListUserState asked, ByteString data) throws IOException {
    NavigableMap<Long, List<Part>> list =
        lists.computeIfAbsent(nameOf(asked), absent -> new TreeMap<>());
    CodedInputStream in = data.newCodedInput();
    while (!in.isAtEnd()) {
      int start = in.getTotalBytesRead();
      long number = in.readRawVarint64();
      in.skipRawBytes(in.readRawVarint32());
      list.computeIfAbsent(number, absent -> new ArrayList<>(1))
          .add(parts.add(data.substring(start, in.getTotalBytesRead())));
      parts.take(ENTRY_BYTES);
    }
  }

  /** The entries of a range, from one on. */
  StateGetResponse read(OrderedListUserState asked, ByteString from) throws IOException {
    int next = StateChunks.position(from);
    Iterator<Part> rest =
        range(asked).values().stream().flatMap(List::stream).skip(next).iterator();
    ByteString data = ByteString.EMPTY;
    while (rest.hasNext() && data.size() < StateChunks.BYTES) {
      data = data.concat(parts.read(rest.next()));
      next++;
    }
    return StateChunks.response(data, next, rest.hasNext());
  }

  /** Forgets the entries of a range. */
  void clear(OrderedListUserState asked) {
    SortedMap<Long, List<Part>> range = range(asked);
    for (List<Part> entries : range.values()) {
      entries.forEach(parts::forget);
      parts.take((long) -ENTRY_BYTES * entries.size());
    }
    range.clear();
    if (lists.getOrDefault(nameOf(asked), EMPTY).isEmpty()) {
      lists.remove(nameOf(asked));
    }
  }

  /** Forgets all lists; whoever has the parts forgets these. */
  void clear() {
    lists.clear();
  }

  /** From the range's begin to before its end; all, if none is given. */
  private SortedMap<Long, List<Part>> range(OrderedListUserState asked) {
    NavigableMap<Long, List<Part>> list = lists.getOrDefault(nameOf(asked), EMPTY);
    OrderedListRange range = asked.getRange();
    return asked.hasRange() ? list.subMap(range.getStart(), range.getEnd()) : list;
  }

  private static OrderedListUserState nameOf(OrderedListUserState asked) {
    return asked.toBuilder().clearRange().build();
  }
}
