// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads sizes of memory such as {@code 512m} or {@code 1g}, in MB; 1 GB is 1024 MB. */
public final class Megabytes implements ITypeConverter<Integer> {
  private static final Pattern SIZE = Pattern.compile("([0-9]{1,6})([mMgG])");
  private static final int PER_GIGABYTE = 1024;

  @Override
  public Integer convert(String text) {
    Matcher size = SIZE.matcher(text);
    if (!size.matches()) {
      throw new TypeConversionException(
          "'" + text + "' is not a size of memory. Give a whole number with m or g, such as 512m.");
    }
    int number = Integer.parseInt(size.group(1));
    return size.group(2).equalsIgnoreCase("g") ? number * PER_GIGABYTE : number;
  }
}
