// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.event;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;

/** How an event is a line of JSON. */
final class EventLogFormat {

  static final JsonMapper MAPPER =
      JsonMapper.builder()
          .addModule(new Jdk8Module())
          .serializationInclusion(JsonInclude.Include.NON_EMPTY)
          .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          // A kind that a later version knows is read as null.
          .disable(DeserializationFeature.FAIL_ON_INVALID_SUBTYPE)
          .build();

  private EventLogFormat() {}
}
