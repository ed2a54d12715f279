// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;

/** JSON from whoever sends it: one value, no name twice, and no deeper or longer than it may be. */
public final class StrictJson {

  private StrictJson() {}

  /**
   * A mapper that reads only such JSON, and writes ASCII. Thread-safe.
   *
   * @param maxNesting levels of objects and arrays
   * @param maxStringLength characters of a string
   */
  public static JsonMapper mapper(int maxNesting, int maxStringLength) {
    JsonFactory factory =
        new JsonFactoryBuilder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
            .streamReadConstraints(
                StreamReadConstraints.builder()
                    .maxNestingDepth(maxNesting)
                    .maxStringLength(maxStringLength)
                    .build())
            .build();
    return JsonMapper.builder(factory)
        .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
        .build();
  }
}
