// SPDX-License-Identifier: Apache-2.0
/** What a container of a cluster knows of its place, and how its memory is divided. */
package dev.anemone.runtime.tez.container;
