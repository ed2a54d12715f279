/** What a build says of its tests at its end. */
package dev.anemone.buildreport;
